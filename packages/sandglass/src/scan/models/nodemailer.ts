import type { LimitState } from '../limits/limit-state.js'
import { limitOf } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { settingIn } from '../limits/settings.js'
import type { LibraryModel, Site } from './library-model.js'

/** Transports that send nothing over SMTP. */
const OTHER_WAYS = ['SES', 'sendmail', 'jsonTransport', 'streamTransport', 'send']

/** nodemailer over SMTP: two minutes to connect, half a minute for the greeting, then ten minutes of silence. */
export const nodemailerModel: LibraryModel = {
  id: 'nodemailer',
  packages: ['nodemailer'],
  clients: [{ kind: 'transport', on: null, made: ['createTransport'], types: ['Transporter'], optionsAt: 0 }],
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
  if (options?.kind !== 'object') return { state: 'unknown', name: setting, why: 'the transport is only known at run time' }
  const other = OTHER_WAYS.find((way) => settingIn(options, way, site.evaluator).state !== 'absent')
  if (other !== undefined) return { state: 'unknown', name: setting, why: `it may be sent by ${other}` }
  return limitOf(site, { setting, kind, default: ['nodemailer', setting] })
}
