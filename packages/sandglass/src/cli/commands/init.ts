import type { Source } from '../../model/sourced.js'
import { counted } from '../../report/text.js'
import type { CommandModule } from '../commands.js'
import { tidyPath } from '../find-files.js'
import { firstChain, mergeSeen, nameNginx, type SeenService } from '../first-chain.js'
import { collect } from '../formats.js'
import { isFoundFile } from '../look-at.js'
import { problemLine } from '../problem-line.js'
import { readText } from '../read-text.js'
import { seenInCompose } from '../seen-in-compose.js'
import { seenInNginx } from '../seen-in-nginx.js'
import { seenInPackage } from '../seen-in-package.js'
import { seenInSpring } from '../seen-in-spring.js'
import type { System } from '../system.js'
import { Unusable } from '../unusable.js'
import { writeOutput } from '../write-output.js'

interface InitOptions {
  readonly from?: readonly string[]
  readonly force?: boolean
}

const FILE = 'sandglass.yaml'

/** Which files are looked for, and how each is read; the first that is there of a line counts. */
const readers: readonly {
  readonly files: readonly string[]
  readonly test: RegExp
  readonly read: (source: Source) => readonly SeenService[]
}[] = [
  {
    files: ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'],
    test: /compose[^/]*\.ya?ml$/,
    read: seenInCompose,
  },
  { files: ['nginx.conf', 'nginx/nginx.conf', 'conf/nginx.conf', 'deploy/nginx.conf'], test: /\.conf$/, read: seenInNginx },
  {
    files: ['application.yml', 'application.yaml', 'src/main/resources/application.yml', 'src/main/resources/application.yaml'],
    test: /application[^/]*\.ya?ml$/,
    read: seenInSpring,
  },
  { files: ['package.json'], test: /package\.json$/, read: seenInPackage },
]

/** `sandglass init`. */
export const command: CommandModule = {
  describe(command) {
    command
      .description(`Writes a first ${FILE} from what is found here. What it cannot see it writes as "unknown".`)
      .option('--from <file>', 'read this compose file, nginx.conf, application.yml or package.json; repeatable', collect)
      .option('--force', `replace ${FILE} if it is there`)
      .addHelpText('after', '\nExamples:\n  sandglass init\n  sandglass init --from deploy/compose.yaml --from deploy/nginx.conf\n')
  },
  run: async (_args, options, system) => init(options as InitOptions, system),
}

function init(options: InitOptions, system: System): number {
  if (system.folders.look(FILE) !== null && options.force !== true) throw new Unusable([`${FILE}: is there already; --force replaces it`])
  const files = options.from?.map(tidyPath) ?? foundHere(system)
  if (files.length === 0)
    throw new Unusable([
      `sandglass init: found none of ${readers.flatMap(({ files: [first = ''] }) => [first]).join(', ')} here; name one with --from <file>`,
    ])
  const seen = files.flatMap((file) => readOne(file, system))
  if (seen.length === 0) throw new Unusable([`sandglass init: no service could be seen in ${files.join(', ')}`])
  const services = mergeSeen(nameNginx(seen))
  const schema =
    system.folders.look('package.json') === null
      ? 'https://unpkg.com/sandglass/schema/chain.schema.json'
      : './node_modules/sandglass/schema/chain.schema.json'
  writeOutput(firstChain(services, files, schema), FILE, system)
  const calls = services.reduce((count, service) => count + service.calls.length, 0)
  system.stderr.write(
    `wrote ${FILE}: ${counted(services.length, 'service')} and ${counted(calls, 'call')} seen in ${files.join(', ')}; put in what is written "unknown", then run "sandglass check"\n`,
  )
  return 0
}

/** A compose file lists the services itself: beside it only the proxy's settings add something. */
function foundHere(system: System): readonly string[] {
  const found = readers.map(({ files }) => files.find((file) => isFoundFile(file, system.folders)))
  const [compose, nginx] = found
  const files = compose === undefined ? found : [compose, nginx]
  return files.filter((file) => file !== undefined)
}

function readOne(file: string, system: System): readonly SeenService[] {
  const read = readText(file, system.folders)
  if (!read.ok) throw new Unusable([problemLine(read.problem)])
  const reader = readers.find(({ test }) => test.test(file))
  if (!reader) throw new Unusable([`${file}: neither a compose file, an nginx .conf, an application.yml nor a package.json`])
  return reader.read(read.source)
}
