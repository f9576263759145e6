import { coversVersion } from '../../model/default-of.js'
import type { Term } from '../terms/term.js'
import type { Site } from './library-model.js'
import type { SdkLimit } from './plain-sdk.js'

/** The versions whose clients for tokens hand `transporterOptions` on: google-auth-library 9.2, and the googleapis that bring it. */
const SINCE: Readonly<Record<string, string>> = { 'google-auth-library': '>=9.2', googleapis: '>=129' }

const isGoogleAuth = ({ client }: Site) => client?.madeBy.endsWith('GoogleAuth') === true

/** What limits the requests of a client for tokens; options of googleapis do not reach them. */
export function authLimit(site: Site): SdkLimit {
  const setting = `${isGoogleAuth(site) ? 'clientOptions.' : ''}transporterOptions.timeout`
  return { setting, kind: 'total', versions: SINCE[site.model.id] ?? '*' }
}

/** The options of a client for tokens, where it is made with an object and not with a key and its secret. */
export function authOptions({ client, options }: Site): Term | undefined {
  const [first] = client?.args ?? []
  const isObject = first?.kind === 'object' || (first?.kind === 'either' && first.of.every(({ kind }) => kind === 'object'))
  return isObject ? first : options
}

/** What to write for a client for tokens, by version. */
export function authRemedy(site: Site): string {
  const { model, version, client } = site
  const text = isGoogleAuth(site) ? 'clientOptions: { transporterOptions: { timeout: … } }' : 'transporterOptions: { timeout: … }'
  const where = `${text} (ms) in an object of options that ${client?.madeBy.split('.').at(-1) ?? 'the client'} is made with`
  if (version === null) return `${where}, from google-auth-library 9.2 on`
  return coversVersion(SINCE[model.id] ?? '*', version)
    ? where
    : 'a race with a timer: transporterOptions came with google-auth-library 9.2'
}
