import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const outcome = (code: string, versions: Readonly<Record<string, string>>) => {
  const lines = callLines(scanTexts({ files: { 'code.ts': code }, versions }))
  return lines.map((line) => line.split(' ').slice(2).join(' '))
}

const fern = (name: string, from: string, call: string, version: string) =>
  ({
    code: (options: string, ofCall = '') => `import { ${name} } from '${from}'
await new ${name}({ token: 'a', ${options} }).${call}(${ofCall})`,
    versions: { [from]: version },
  }) as const

test.each([
  ['SquareClient', 'square', 'payments.create', '46.0.0'],
  ['ManagementClient', 'auth0', 'users.get', '7.1.0'],
])('%s of %s has a minute for the headers, and one option', (name, from, call, version) => {
  const { code, versions } = fern(name, from, call, version)
  expect(outcome(code(''), versions)).toEqual(['bounded 60000 headers'])
  expect(outcome(code('timeoutInSeconds: 2'), versions)).toEqual(['bounded 2000 headers'])
  expect(outcome(code('', '{}, { timeoutInSeconds: 3 }'), versions)).toEqual(['bounded 3000 headers'])
  expect(outcome(code('', '{}, { abortSignal: AbortSignal.timeout(900) }'), versions)).toEqual(['bounded 900 total'])
  expect(outcome(code(''), { [from]: '1.0.0' })).toEqual(['unknown'])
})

test.each([
  ['Cloudflare', 'cloudflare', '7.3.0'],
  ['Telnyx', 'telnyx', '7.24.0'],
])('%s tries a minute three times', (name, from, version) => {
  const code = (options: string) => `import ${name} from '${from}'
await new ${name}({ apiToken: 'a', ${options} }).zones.list({ account: 'a' })`
  expect(outcome(code('maxRetries: 0'), { [from]: version })).toEqual(['bounded 60000 headers'])
  expect(outcome(code('maxRetries: 0, timeout: 800'), { [from]: version })).toEqual(['bounded 800 headers'])
  expect(outcome(code('fetch: own'), { [from]: version })).toEqual(['unknown'])
  expect(outcome(code(''), { [from]: version })).toEqual(['bounded 60000 headers'])
  const { calls } = scanTexts({ files: { 'code.ts': code('') }, versions: { [from]: version } })
  expect(calls.map(({ worstMs }) => worstMs)).toEqual([181_500])
})

const versions = {
  '@workos-inc/node': '8.13.0',
  mercadopago: '3.6.1',
  'node-mailjet': '6.0.11',
  jsforce: '3.10.16',
  'node-zendesk': '6.0.1',
  '@okta/okta-sdk-nodejs': '8.1.0',
  '@keycloak/keycloak-admin-client': '26.7.4',
  'onesignal-node': '3.4.0',
  '@novu/node': '2.6.6',
  '@line/bot-sdk': '11.0.0',
  '@microsoft/microsoft-graph-client': '3.0.7',
  bitbucket: '2.12.0',
  'gitea-js': '1.23.0',
  'cross-fetch': '4.1.0',
  '@mollie/api-client': '4.6.0',
  '@adyen/api-library': '32.1.0',
  '@paypal/paypal-server-sdk': '2.5.0',
  chargebee: '3.33.0',
  recurly: '4.81.0',
  '@vonage/server-sdk': '3.27.0',
  plivo: '4.79.0',
  mailersend: '3.4.0',
  dropbox: '10.34.0',
  imagekit: '6.0.0',
  'xero-node': '20.0.0',
}

test.each([
  ["import { WorkOS } from '@workos-inc/node'\nawait new WorkOS('k').userManagement.getUser('a')", 'bounded 60000 headers'],
  ["import { WorkOS } from '@workos-inc/node'\nawait new WorkOS('k', { timeout: 900 }).userManagement.getUser('a')", 'bounded 900 headers'],
  [
    "import { MercadoPagoConfig, Payment } from 'mercadopago'\nawait new Payment(new MercadoPagoConfig({ accessToken: 'a' })).get({ id: '1' })",
    'bounded 60000 total',
  ],
  [
    "import { MercadoPagoConfig, Payment } from 'mercadopago'\nawait new Payment(new MercadoPagoConfig({ accessToken: 'a', options: { timeout: 900 } })).get({ id: '1' })",
    'bounded 900 total',
  ],
  ["import Mailjet from 'node-mailjet'\nawait Mailjet.apiConnect('a', 'b').post('send', { version: 'v3.1' }).request({})", 'unbounded'],
  [
    "import Mailjet from 'node-mailjet'\nawait new Mailjet({ apiKey: 'a', options: { timeout: 900 } }).post('send').request({})",
    'bounded 900 silence',
  ],
  ["import jsforce from 'jsforce'\nawait new jsforce.Connection({ loginUrl: 'a' }).sobject('A').create({})", 'bounded 1800000 headers'],
  ["import { createClient } from 'node-zendesk'\nawait createClient({ username: 'a' }).tickets.create({})", 'unbounded'],
  ["import okta from '@okta/okta-sdk-nodejs'\nawait new okta.Client({ orgUrl: 'a' }).userApi.getUser({})", 'unbounded'],
  ["import okta from '@okta/okta-sdk-nodejs'\nawait new okta.Client({ orgUrl: 'a', requestExecutor: own }).userApi.getUser({})", 'unknown'],
  ["import Admin from '@keycloak/keycloak-admin-client'\nawait new Admin({ baseUrl: 'a' }).users.find()", 'bounded 300000 silence'],
  ["import Admin from '@keycloak/keycloak-admin-client'\nawait new Admin({ requestOptions: own }).users.find()", 'unknown'],
  ["import { Client } from 'onesignal-node'\nawait new Client('a', 'b').createNotification({})", 'unbounded'],
  ["import { Novu } from '@novu/node'\nawait new Novu('a').trigger('b', {})", 'unbounded'],
  [
    "import { messagingApi } from '@line/bot-sdk'\nawait new messagingApi.MessagingApiClient({ channelAccessToken: 'a' }).pushMessage({})",
    'bounded 300000 silence',
  ],
  [
    "import { Client } from '@microsoft/microsoft-graph-client'\nawait Client.init({ authProvider }).api('/me').select('id').get()",
    'bounded 300000 silence',
  ],
  ["import { Bitbucket } from 'bitbucket'\nawait new Bitbucket({ notice: false }).repositories.get({ repo_slug: 'a' })", 'unbounded'],
  [
    "import { Bitbucket } from 'bitbucket'\nawait new Bitbucket({ request: { timeout: 900 } }).repositories.get({ repo_slug: 'a' })",
    'bounded 900 silence',
  ],
  ["import { giteaApi } from 'gitea-js'\nawait giteaApi('a', { token: 'a' }).repos.repoGet('a', 'b')", 'bounded 300000 silence'],
  [
    "import { giteaApi } from 'gitea-js'\nimport { fetch } from 'cross-fetch'\nawait giteaApi('a', { customFetch: fetch }).repos.repoGet('a', 'b')",
    'unbounded',
  ],
  [
    "import { giteaApi } from 'gitea-js'\nawait giteaApi('a', {}).repos.repoGet('a', 'b', { signal: AbortSignal.timeout(900) })",
    'bounded 900 total',
  ],
  ["import { createMollieClient } from '@mollie/api-client'\nawait createMollieClient({ apiKey: 'a' }).payments.get('b')", 'unbounded'],
  [
    "import { CheckoutAPI, Client } from '@adyen/api-library'\nawait new CheckoutAPI(new Client({ apiKey: 'a' })).PaymentsApi.payments({})",
    'unbounded',
  ],
  [
    "import { CheckoutAPI, Client } from '@adyen/api-library'\nawait new CheckoutAPI(new Client({ connectionTimeoutMillis: 900 })).PaymentsApi.payments({})",
    'bounded 900 silence',
  ],
  [
    "import { Client, OrdersController } from '@paypal/paypal-server-sdk'\nawait new OrdersController(new Client({})).getOrder({})",
    'unbounded',
  ],
  [
    "import { Client, OrdersController } from '@paypal/paypal-server-sdk'\nawait new OrdersController(new Client({ timeout: 900 })).getOrder({})",
    'bounded 900 silence',
  ],
  ["import Chargebee from 'chargebee'\nawait new Chargebee({ site: 'a' }).customer.list()", 'bounded 300000 silence'],
  ["import Chargebee from 'chargebee'\nawait new Chargebee({ site: 'a', timeout: 900 }).customer.list()", 'bounded 900 headers'],
  ["import recurly from 'recurly'\nawait new recurly.Client('k').getAccount('a')", 'bounded 60000 silence'],
  ["import { Vonage } from '@vonage/server-sdk'\nawait new Vonage({ apiKey: 'a' }).sms.send({})", 'unbounded'],
  ["import { Vonage } from '@vonage/server-sdk'\nawait new Vonage({ apiKey: 'a' }, { timeout: 900 }).sms.send({})", 'bounded 900 total'],
  ["import plivo from 'plivo'\nawait new plivo.Client('a', 'b').messages.create({})", 'unbounded'],
  ["import { MailerSend } from 'mailersend'\nawait new MailerSend({ apiKey: 'a' }).email.send(mail)", 'bounded 300000 silence'],
  ["import { Dropbox } from 'dropbox'\nawait new Dropbox({ accessToken: 'a' }).filesListFolder({ path: '' })", 'unbounded'],
  [
    "import { Dropbox } from 'dropbox'\nawait new Dropbox({ accessToken: 'a', fetch }).filesListFolder({ path: '' })",
    'bounded 300000 silence',
  ],
  ["import ImageKit from 'imagekit'\nawait new ImageKit({ publicKey: 'a' }).upload({})", 'unbounded'],
  ["import { XeroClient } from 'xero-node'\nawait new XeroClient({}).accountingApi.getInvoices('a')", 'unbounded'],
])('%s is %s', (code, expected) => {
  expect(outcome(code, versions)).toEqual([expected])
})
