import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const versions = {
  '@deepgram/sdk': '5.13.0',
  '@elevenlabs/elevenlabs-js': '2.73.0',
  assemblyai: '4.41.5',
  'exa-js': '2.23.0',
  '@huggingface/inference': '4.13.30',
  'apify-client': '2.25.0',
}

test.each([
  [
    "import { DeepgramClient } from '@deepgram/sdk'\nawait new DeepgramClient({ apiKey: 'a' }).listen.v1.media.transcribeUrl({ url: 'a' })",
    'bounded 60000 headers',
  ],
  [
    "import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js'\nawait new ElevenLabsClient({ apiKey: 'a' }).textToSpeech.convert('a', {})",
    'bounded 240000 headers',
  ],
  [
    "import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js'\nawait new ElevenLabsClient({ timeoutInSeconds: 4 }).textToSpeech.convert('a', {})",
    'bounded 4000 headers',
  ],
  ["import { AssemblyAI } from 'assemblyai'\nawait new AssemblyAI({ apiKey: 'a' }).transcripts.get('a')", 'bounded 300000 silence'],
  ["import Exa from 'exa-js'\nawait new Exa('a').search('b')", 'bounded 300000 silence'],
  ["import { InferenceClient } from '@huggingface/inference'\nawait new InferenceClient('a').chatCompletion({})", 'bounded 300000 silence'],
  [
    "import { InferenceClient } from '@huggingface/inference'\nawait new InferenceClient('a').chatCompletion({}, { signal: AbortSignal.timeout(900) })",
    'bounded 900 total',
  ],
  ["import { ApifyClient } from 'apify-client'\nawait new ApifyClient({ token: 'a' }).dataset('a').listItems()", 'bounded 360000 silence'],
])('%s is %s', (code, expected) => {
  const lines = callLines(scanTexts({ files: { 'code.ts': code }, versions }))
  expect(lines.map((line) => line.split(' ').slice(2).join(' '))).toEqual([expected])
})

test('Watson is judged where its client is made, and not the key to it', () => {
  const scanned = scanTexts(`import Stt from 'ibm-watson/speech-to-text/v1'
import { IamAuthenticator } from 'ibm-watson/auth'
const authenticator = new IamAuthenticator({ apikey: process.env.KEY })
export const quick = new Stt({ authenticator, timeout: 900 })
const stt = new Stt({ authenticator })
export const listen = (given) => stt.recognize(given)`)
  expect(findingLines(scanned)).toEqual(['code.ts:5 unbounded-call'])
})

test('LiveKit before version 2 has no limit and no option for one', () => {
  const code = `import { RoomServiceClient } from 'livekit-server-sdk'
const rooms = new RoomServiceClient('http://a', 'b', 'c')
await rooms.listRooms()`
  const linesAt = (version: string) => callLines(scanTexts({ files: { 'code.ts': code }, versions: { 'livekit-server-sdk': version } }))
  expect(linesAt('1.2.7')).toEqual(['3 livekit-server-sdk unbounded'])
  expect(linesAt('2.13.0')).toEqual(['3 livekit-server-sdk unknown'])
})
