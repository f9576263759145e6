import { type BadPeer, openBadPeer, type TcpMode } from './bad-peer.js'

/** Every kind of peer that a case can name. */
export type PeerMode = TcpMode

/** Opens a peer of a kind. */
export function openPeer(mode: PeerMode): Promise<BadPeer> {
  return openBadPeer(mode)
}
