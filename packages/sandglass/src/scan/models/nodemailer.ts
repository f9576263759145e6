import type { LimitState } from '../limits/limit-state.js'
import { limitFrom } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { settingIn } from '../limits/settings.js'
import type { Term } from '../terms/term.js'
import type { LibraryModel, Site } from './library-model.js'
import { addressIn, firstSetting, isAddress, settingInUrl, writtenUrl } from './url-settings.js'

/** Transports that send nothing over SMTP. */
const OTHER_WAYS = ['SES', 'sendmail', 'jsonTransport', 'streamTransport', 'send']

/** nodemailer over SMTP: two minutes to connect, half a minute for the greeting, then ten minutes of silence. */
export const nodemailerModel: LibraryModel = {
  id: 'nodemailer',
  packages: ['nodemailer'],
  clients: [{ kind: 'transport', on: null, made: ['createTransport'], types: ['Transporter'], optionsAt: 0, isJudged: true }],
  calls: [{ on: 'transport', method: /^(sendMail|verify)$/, optionsAt: -1 }],
  read: (site) =>
    readingOf({
      phases: [
        { what: 'the connection', kind: 'connect', limit: smtpLimit(site, 'connectionTimeout', 'connect') },
        { what: 'the greeting', kind: 'headers', limit: smtpLimit(site, 'greetingTimeout', 'headers') },
        { what: 'each answer of the mail server', kind: 'silence', limit: smtpLimit(site, 'socketTimeout', 'silence') },
      ],
      remedy: 'connectionTimeout: …, greetingTimeout: … and socketTimeout: … (ms)',
    }),
}

function smtpLimit(site: Site, setting: string, kind: 'connect' | 'headers' | 'silence'): LimitState {
  const options = site.client?.options
  const unknown = (why: string): LimitState => ({ state: 'unknown', name: setting, why })
  if (!options || !isReadable(options)) return unknown('the transport is only known at run time')
  // A transport of which nothing is told, and on which no call is seen, stands for one that is not there.
  if (site.method === 'new' && options.kind === 'object' && options.parts.length === 0) return unknown('nothing tells where it sends')
  const written = isAddress(options) ? undefined : options
  const other = OTHER_WAYS.find((way) => settingIn(written, way, site.evaluator).state !== 'absent')
  if (other !== undefined) return unknown(`it may be sent by ${other}`)
  const address = addressIn(options, 'url', site.evaluator)
  if (address && isOfPlugin(address)) return unknown('its address names another way to send')
  const given = firstSetting([settingInUrl(address, [setting]), settingIn(written, setting, site.evaluator)])
  return limitFrom(given, site, { setting, kind, default: ['nodemailer', setting] })
}

/** Options that are written, or an address, or one of several such. */
function isReadable(options: Term): boolean {
  if (options.kind === 'either') return options.of.every(isReadable)
  return options.kind === 'object' || isAddress(options)
}

/** Only `smtp:`, `smtps:` and `direct:` are addresses; any other text is the name of a plugin. */
function isOfPlugin(address: Term): boolean {
  const scheme = /^[\w+.-]*:/.exec(writtenUrl(address)?.text ?? '')?.[0]
  return scheme !== undefined && !/^(smtps?|direct):$/i.test(scheme)
}
