import { settingIn } from '../limits/settings.js'
import type { LibraryModel, Site } from './library-model.js'
import { type PlainStore, plainStore } from './plain-store.js'

const mqtt: PlainStore = {
  id: 'mqtt',
  packages: ['mqtt'],
  clients: [
    {
      kind: 'client',
      on: null,
      made: ['connect', 'connectAsync'],
      types: ['MqttClient'],
      optionsAt: 1,
      isFirstPlain: true,
      isJudged: true,
    },
  ],
  calls: [{ on: 'client', method: /^(publish|subscribe|unsubscribe)Async$/, optionsAt: -1 }],
  waits: [
    {
      what: 'the connection',
      kind: 'connect',
      by: /^new$/,
      limits: [{ settings: ['connectTimeout'], kind: 'connect', default: 'connectTimeout' }],
    },
    { what: 'the broker to take it', kind: 'total', by: /Async$/, limits: [{ settings: [], kind: 'total' }] },
  ],
  others: ['customHandleAcks'],
  remedy: 'connectTimeout: … (ms), and a race with a timer for what is sent',
}

const nats: PlainStore = {
  id: 'nats',
  packages: ['nats', '@nats-io/transport-node'],
  clients: [{ kind: 'client', on: null, made: ['connect'], types: ['NatsConnection'], optionsAt: 0, isJudged: true, isPromised: true }],
  calls: [{ on: 'client', method: /^request$/, optionsAt: 2 }],
  waits: [
    {
      what: 'the connection',
      kind: 'connect',
      by: /^new$/,
      endlessBy: 'waitOnFirstConnect',
      limits: [{ settings: ['timeout'], kind: 'connect', default: 'timeout' }],
    },
    {
      what: 'the answer',
      kind: 'total',
      by: /^request$/,
      limits: [{ settings: [], ofCall: 'timeout', kind: 'total', default: 'request.timeout' }],
    },
  ],
  remedy: (site) =>
    isSetTrue(site, 'waitOnFirstConnect') ? 'waitOnFirstConnect: false, or a race with a timer around the connection' : 'timeout: … (ms)',
}

function isSetTrue({ client, evaluator }: Site, name: string): boolean {
  const setting = settingIn(client?.options, name, evaluator)
  return setting.state === 'given' && setting.value === true
}

const cassandra: PlainStore = {
  id: 'cassandra-driver',
  packages: ['cassandra-driver'],
  clients: [{ kind: 'client', on: null, made: ['Client'], types: ['Client'], optionsAt: 0 }],
  calls: [
    { on: 'client', method: /^(execute|batch)$/, optionsAt: 2 },
    { on: 'client', method: /^connect$/, optionsAt: -1 },
  ],
  waits: [
    {
      what: 'the answer of a node',
      kind: 'total',
      limits: [{ settings: ['socketOptions.readTimeout'], ofCall: 'readTimeout', kind: 'total', default: 'socketOptions.readTimeout' }],
    },
  ],
  others: ['profiles', 'policies'],
  remedy: 'socketOptions: { readTimeout: … } (ms) where the client is made',
}

const imapflow: PlainStore = {
  id: 'imapflow',
  packages: ['imapflow'],
  clients: [{ kind: 'client', on: null, made: ['ImapFlow'], types: ['ImapFlow'], optionsAt: 0 }],
  calls: [
    {
      on: 'client',
      method:
        /^(connect|logout|noop|status|list|listTree|mailbox(Open|Close|Create|Rename|Delete|Subscribe|Unsubscribe)|fetchOne|fetchAll|search|append|download|messageMove|messageCopy|messageDelete|messageFlags(Set|Add|Remove)|getMailboxLock|getQuota)$/,
      optionsAt: -1,
    },
  ],
  waits: [
    {
      what: 'the connection',
      kind: 'connect',
      by: /^connect$/,
      limits: [{ settings: ['connectionTimeout'], kind: 'connect', default: 'connectionTimeout' }],
    },
    {
      what: 'the greeting',
      kind: 'headers',
      by: /^connect$/,
      limits: [{ settings: ['greetingTimeout'], kind: 'headers', default: 'greetingTimeout' }],
    },
    {
      what: 'each answer of the server',
      kind: 'silence',
      limits: [{ settings: ['socketTimeout'], kind: 'silence', default: 'socketTimeout' }],
    },
  ],
  remedy: 'connectionTimeout: …, greetingTimeout: … and socketTimeout: … (ms)',
}

const nodeImap: PlainStore = {
  id: 'imap',
  packages: ['imap'],
  clients: [{ kind: 'client', on: null, made: ['', 'default'], types: ['', 'default'], optionsAt: 0 }],
  calls: [
    {
      on: 'client',
      method: /^(openBox|closeBox|search|sort|append|copy|move|expunge|status|(add|del|set)Flags|getBoxes|(add|del|rename)Box)$/,
      optionsAt: -1,
    },
  ],
  waits: [{ what: 'each answer of the server', kind: 'silence', limits: [{ settings: ['socketTimeout'], kind: 'silence' }] }],
  remedy: 'socketTimeout: … (ms) where the client is made',
}

/** Brokers and servers with a protocol of their own. */
export const wireStoreModels: readonly LibraryModel[] = [mqtt, nats, cassandra, imapflow, nodeImap].map(plainStore)
