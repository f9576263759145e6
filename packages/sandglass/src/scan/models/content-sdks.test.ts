import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const lines = (code: string, versions: Readonly<Record<string, string>> = {}) =>
  callLines(scanTexts({ files: { 'code.ts': code }, versions }))

test('shops and files', () => {
  expect(
    lines(
      `import { createClient } from 'webdav'
import WooCommerce from '@woocommerce/woocommerce-rest-api'
import Shopify from 'shopify-api-node'
const files = createClient('http://a')
await files.getDirectoryContents('/')
await files.putFileContents('/a', 'b', { signal: AbortSignal.timeout(500) })
await new WooCommerce({ url: 'a' }).get('products')
await new WooCommerce({ url: 'a', timeout: 500 }).get('products')
await new WooCommerce({ url: 'a', axiosConfig: own }).get('products')
await new Shopify({ shopName: 'a' }).product.list()`,
      { webdav: '5.11.0' },
    ),
  ).toEqual([
    '5 webdav unbounded',
    '6 webdav bounded 500 total',
    '7 woocommerce unbounded',
    '8 woocommerce bounded 500 silence',
    '9 woocommerce unknown',
    '10 shopify-api-node bounded 60000 total',
  ])
})

test('contents and identities', () => {
  expect(
    lines(
      `import { createClient } from 'contentful-management'
import { buildClient } from '@datocms/cma-client-node'
import Storyblok from 'storyblok-js-client'
import * as prismic from '@prismicio/client'
import { discovery } from 'openid-client'
await createClient({ accessToken: 'a' }).space.get({ spaceId: 'a' })
await createClient({ accessToken: 'a', timeout: 500 }).getSpace('a')
await buildClient({ apiToken: 'a' }).items.list()
await buildClient({ apiToken: 'a', requestTimeout: 500 }).items.list()
await new Storyblok({ accessToken: 'a' }).get('cdn/stories')
await new Storyblok({ accessToken: 'a', timeout: 2 }).get('cdn/stories')
await prismic.createClient('a').getAllByType('page')
await prismic.createClient('a', { fetch: own }).getAllByType('page')
await discovery(new URL('https://a'), 'a')
await discovery(new URL('https://a'), 'a', undefined, undefined, { timeout: 5 })`,
      { 'storyblok-js-client': '7.7.6', '@prismicio/client': '7.22.0', 'openid-client': '6.9.0' },
    ),
  ).toEqual([
    '6 contentful-management bounded 30000 silence',
    '7 contentful-management bounded 500 silence',
    '8 datocms bounded 30000 headers',
    '9 datocms bounded 500 headers',
    '10 storyblok bounded 300000 silence',
    '11 storyblok bounded 2000 headers',
    '12 prismic bounded 300000 silence',
    '13 prismic unknown',
    '14 openid-client bounded 30000 total',
    '15 openid-client bounded 5000 total',
  ])
  expect(lines(`import { discovery } from 'openid-client'\nawait discovery(url, 'a')`, { 'openid-client': '5.7.0' })).toEqual([
    '2 openid-client unknown',
  ])
})
