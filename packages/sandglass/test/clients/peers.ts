import { type BadPeer, openBadPeer, type TcpMode } from './bad-peer.js'
import { openImapHang, openNatsHang } from './greeting-peer.js'
import { openHttp2Hang } from './http2-peer.js'
import { openKafkaHang } from './kafka-peer.js'
import { openMongoHang } from './mongo-peer.js'
import { openFrozen, openService } from './service-proxy.js'
import { isThere, type ServiceName, servicesOf } from './services.js'

/** Peers that greet as their protocol wants it, and then answer nothing. */
const hanging = {
  'http2-hang': () => openHttp2Hang(),
  'mongo-hang': (home: string) => openMongoHang(home),
  'kafka-hang': () => openKafkaHang(),
  'nats-hang': () => openNatsHang(),
  'imap-hang': () => openImapHang(),
} as const

/** Every kind of peer that a case can name: a bad one, a real server, or a real server whose network goes when the request is sent. */
export type PeerMode = TcpMode | keyof typeof hanging | ServiceName | `frozen-${ServiceName}`

/** Opens peers, and knows which cannot be had on this machine. */
export interface Peers {
  readonly open: (mode: PeerMode) => Promise<BadPeer>
  /** The server that a kind needs and that is not there; null where it can be opened. */
  readonly missing: (mode: PeerMode) => Promise<string | null>
}

/** The peers of this machine. */
export function peersOf(home: string): Peers {
  const services = servicesOf(home)
  const serviceOf = (mode: PeerMode) => {
    const name = mode.replace('frozen-', '')
    return Object.hasOwn(services, name) ? services[name as ServiceName] : null
  }
  return {
    open(mode) {
      const service = serviceOf(mode)
      if (Object.hasOwn(hanging, mode)) return hanging[mode as keyof typeof hanging](home)
      if (service === null) return openBadPeer(mode as TcpMode)
      return mode.startsWith('frozen-') ? openFrozen(service) : openService(service)
    },
    async missing(mode) {
      const service = serviceOf(mode)
      return service === null || (await isThere(service)) ? null : `${service.name} at ${service.host}:${service.port}`
    },
  }
}
