import type { Source } from '../model/sourced.js'
import { type FactsDraft, type Importer, newFacts, type Surroundings } from './facts.js'
import { dockerfileCommand, type ProcessCommand, procfileCommands } from './process-commands.js'
import { processService } from './process-service.js'
import { flagsOf } from './server-flags.js'
import { nameOf } from './target.js'

const PROCFILE = /(^|\/)Procfile$/
const DOCKERFILE = /(^|\/)Dockerfile$/

/** A Procfile, and the command of a Dockerfile that no compose file builds: the servers they start. */
export const procfile: Importer = {
  format: 'process',
  accepts: ({ file, text }) =>
    (PROCFILE.test(file) && /^\w[\w-]*:/m.test(text)) || (DOCKERFILE.test(file) && /\b(gunicorn|uvicorn|uwsgi)\b/.test(text)),
  read(sources, surroundings) {
    const draft = newFacts()
    for (const source of sources) {
      const command = DOCKERFILE.test(source.file) && surroundings.ownerOf(source.file) === null ? dockerfileCommand(source) : null
      for (const each of PROCFILE.test(source.file) ? procfileCommands(source) : command ? [command] : [])
        readCommand(each, source, surroundings, draft)
    }
    return draft
  },
}

function readCommand(command: ProcessCommand, source: Source, surroundings: Surroundings, draft: FactsDraft): void {
  const owner = surroundings.ownerOf(source.file)
  const folder = source.file.slice(0, source.file.lastIndexOf('/') + 1)
  const outer = owner ? surroundings.environments.get(owner.name.toLowerCase()) : undefined
  const flags = flagsOf({
    command: command.words,
    image: '',
    environment: new Map([...command.environment, ...(outer ?? [])]),
    draft,
    version: null,
    at: command.spot,
    fileNamed: (path) => {
      const name = path.replace(/^.*\/(?=[^/]+$)/, '')
      return surroundings.all.find(({ file }) => file === `${folder}${path}` || file === `${folder}${name}`)
    },
  })
  // What it starts is not known: a worker, a release step, a server of another kind.
  if (!flags.processes) return
  const facts = { ...flags, listens: [] }
  const service = processService({
    name: nameOf(command.name),
    source,
    owner,
    at: command.spot,
    facts,
    addresses: { ports: flags.ports ?? [], sockets: flags.sockets ?? [] },
  })
  draft.services.push(command.name === 'web' ? service : { ...service, name: nameOf(`${service.name}-${command.name}`) })
}
