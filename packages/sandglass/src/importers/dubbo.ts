import { declared, type Source } from '../model/sourced.js'
import { type Dubbo, dubboHops } from './dubbo-hops.js'
import { firstOf, type Get, type Participant } from './dubbo-model.js'
import { isOverrideFile, overridesIn } from './dubbo-overrides.js'
import { isDubboProperties, isDubboXml, participantsOf } from './dubbo-participants.js'
import { addNote, type FactsDraft, type HopFact, type Importer, newFacts, type Surroundings } from './facts.js'
import { interfaceMethods } from './java-futures.js'
import { isSpringSettings } from './spring-modules.js'

const CODE = /@Dubbo(Reference|Service)\b|\.dubbo\.config\.annotation\./
const KEYS = /^[ \t]*["']?dubbo["']?[.:]/m

/**
 * Dubbo: XML, `dubbo.*` of Spring and dubbo.properties, annotations in code, and override rules of a config center. A call leads to the service
 * that offers the interface in the same group and version.
 */
export const dubbo: Importer = {
  format: 'dubbo',
  accepts: (source) => isDubboXml(source) || isDubboProperties(source) || isOverrideFile(source) || isCode(source),
  alsoReads: (source) => isCode(source) || (isSpringSettings(source) && KEYS.test(source.text)),
  read(sources, surroundings) {
    const draft = newFacts()
    const participants = participantsOf(sources, surroundings, draft)
    const overrides = sources.filter(isOverrideFile).flatMap((source) => overridesIn(source, draft))
    for (const override of overrides) {
      const isKnown = participants.some(
        ({ names, ends }) =>
          (override.application !== null && names.includes(override.application)) ||
          ends.some((end) => override.service?.interface === end.interface),
      )
      if (!isKnown) addNote(draft, 'unknown', override.spot, 'a rule for a service that is in nothing that was read')
    }
    const isFuture = futuresAmong(surroundings)
    for (const participant of participants) {
      addService(participant, dubboHops(participant, { participants, overrides, draft, isFuture }), draft)
    }
    return draft
  },
}

/** Looks at the file of an interface: all methods must give futures, or the one that is asked about; several files of one name must say the same. */
function futuresAmong({ filesLike }: Surroundings): Dubbo['isFuture'] {
  return ({ interface: type, spot }, method) => {
    const files = filesLike(`${type.replaceAll('.', '/')}.java`, spot.source.file)
    const found = files.flatMap((file) => {
      const methods = interfaceMethods(file, type)
      return methods ? [methods.filter(({ name }) => method === null || name === method)] : []
    })
    return found.length > 0 && found.every((methods) => methods.length > 0 && methods.every(({ isFuture }) => isFuture))
  }
}

function isCode({ file, text }: Source): boolean {
  return file.endsWith('.java') && CODE.test(text)
}

function addService(participant: Participant, hops: readonly HopFact[], draft: FactsDraft): void {
  const { name, spot, ends } = participant
  const isProvider = ends.some(({ kind }) => kind === 'service')
  const protocol = isProvider ? protocolOf(participant) : null
  const threads = protocol?.('threads')
  const port = protocol?.('port')
  draft.services.push({
    name,
    spot,
    kind: 'service',
    hosts: [name.toLowerCase()],
    ports: port && /^[1-9]\d{0,4}$/.test(port.text) ? [Number(port.text)] : [],
    intercepts: [],
    ...(threads && /^[1-9]\d{0,6}$/.test(threads.text) ? { concurrency: declared(Number(threads.text), threads.spot) } : {}),
    operations: [{ name: 'request', spot, path: null, hops }],
  })
}

function protocolOf({ settings, properties, protocol }: Participant): Get {
  return firstOf([
    (attribute) => settings?.get(`dubbo.protocol.${attribute}`) ?? settings?.get(`dubbo.protocols.dubbo.${attribute}`),
    protocol,
    (attribute) => properties?.get(`dubbo.protocol.${attribute}`),
  ])
}
