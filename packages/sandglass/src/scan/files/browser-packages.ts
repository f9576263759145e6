import type { Source } from '../../model/sourced.js'
import type { Manifest } from './manifest.js'
import { isStartedByHand } from './path-severity.js'
import type { Project } from './project.js'

/** Frameworks that only something with a screen has. */
const OF_SCREENS =
  /^(react-dom|react-native|expo|vue|svelte|solid-js|solid-element|preact|lit|jquery|alpinejs|ember-source|@angular\/(core|platform-browser)|@vitejs\/plugin-(react|react-swc|vue)|@sveltejs\/vite-plugin-svelte|vite-plugin-solid|@stencil\/core|wxt|@crxjs\/vite-plugin|@types\/chrome|webextension-polyfill)$/
/** What calls the code of a package on a server, without an import in it. */
const CALLS_ON_SERVERS =
  /^(next|nuxt|nuxt3|astro|gatsby|waku|vike|vinxi|nitro|nitropack|meteor|serverless|sst|wrangler|miniflare|firebase-functions|electron|@remix-run\/.*|@netlify\/functions|@vercel\/(node|functions|remix)|@cloudflare\/workers-types|@sveltejs\/kit|@solidjs\/start|@tanstack\/(react-|solid-)?start|@react-router\/(node|serve|express|cloudflare|architect)|@angular\/(ssr|platform-server)|@analogjs\/platform|@react-email\/.*|react-email|@types\/aws-lambda)$/
/** What only a server imports: its frameworks, and drivers. */
const OF_SERVERS =
  /(?:\bfrom\s*|\brequire\s*\(\s*|\bimport\s*\(?\s*)['"](?:h3|elysia|express|fastify|koa|polka|hono|restify|inngest|ws|socket\.io|graphql-yoga|openai|stripe|mongodb|mongoose|mysql2?|pg|postgres|ioredis|redis|bull|bullmq|kafkajs|amqplib|knex|sequelize|typeorm|drizzle-orm|prisma|nodemailer|resend|googleapis|aws-sdk|firebase-admin|puppeteer|jsdom|server-only|@(?:hono|hapi|nestjs|fastify|koa|apollo|aws-sdk|prisma|google-cloud|anthropic-ai|cloudflare|trigger\.dev)\/[\w./-]+|@trpc\/server|@vue\/server-renderer)(?:\/[\w./-]+)?['"]/
/** What has a server that its configuration switches off. */
const OF_PAGES = /^(nuxt3?$|@react-router\/)/
const CONFIG_OF_PAGES = /^(react-router|nuxt)\.config\.[cm]?[jt]s$/
const SWITCHED_OFF = /\bssr\s*:\s*false\b|\btarget\s*:\s*['"]static['"]|\bmode\s*:\s*['"]spa['"]/
/** What Nuxt runs on a server in any case: what its configuration names, and folders of its own. */
const KEPT = /\bserverMiddleware\b/
const SERVER_OF_PAGES = /^(src\/)?server(-?middleware)?\//i
const BUILTIN =
  /(?:\bfrom\s*|\brequire\s*\(\s*|\bimport\s*\(?\s*)['"](?:node:|(?:fs|path|http|https|net|tls|os|child_process|stream|cluster|worker_threads|async_hooks)(?:\/promises)?['"])/
const FOR_TYPES = /\b(?:import|export)\s+type\b[^'"]*['"][^'"]*['"]/g
const PAGE = /\b(?:window|document|localStorage|sessionStorage|navigator)\s*(?:\?\.|[.[])/
/** What asks whether it has a window runs without one, too. */
const ASKS_FOR_WINDOW = /typeof\s+(?:window|document|process|globalThis)\b|globalThis\.window/
/** Such a share of files with names of a page makes a package one of pages. */
const SHARE = 1 / 4
const MIN_FILES = 4
/** One in so many files may quote a module of Node in a text. */
const MANY = 100
/** What builds or draws the package says nothing of where it runs. */
const NOT_ITS_CODE = /(^|\/)(\.[\w-]+\/|[\w.-]*(config|rc)\.[cm]?[jt]s$|gulpfile\.|build\.[cm]?[jt]s$|server\.[cm]?[jt]s$)/

/** The folders of packages whose code runs on a screen: by what they need and by what their files use, and where nothing of them is a server's. */
export function browserPackages({ sources, packageOf, manifestOf }: Project, isTest: (file: string) => boolean): ReadonlySet<string> {
  const byFolder = new Map<string, Source[]>()
  for (const source of sources) {
    const folder = packageOf(source.file)
    const before = byFolder.get(folder)
    if (before) before.push(source)
    else byFolder.set(folder, [source])
  }
  const found = [...byFolder].filter(([folder, own]) => {
    const manifest = manifestOf(own[0]?.file ?? '')
    return manifest !== null && isOfScreens(folder, manifest, own, isTest)
  })
  return new Set(found.map(([folder]) => folder))
}

function isOfScreens(folder: string, { dependencies, hasCommand }: Manifest, all: readonly Source[], isTest: (file: string) => boolean) {
  const needs = [...dependencies]
  const withoutServer = isServerSwitchedOff(folder, all)
  const isCalled = needs.some((name) => CALLS_ON_SERVERS.test(name) && !(withoutServer && OF_PAGES.test(name)))
  if (hasCommand || isCalled) return false
  const own = ownCode(folder, all, isTest)
  // What is built for pages alone brings `path` and the like along.
  const signs = withoutServer ? [OF_SERVERS] : [BUILTIN, OF_SERVERS]
  if (own.filter(({ text }) => imports(signs, text)).length > own.length / MANY) return false
  if (withoutServer || needs.some((name) => OF_SCREENS.test(name))) return true
  const onPage = own.filter(({ text }) => PAGE.test(text))
  return own.length >= MIN_FILES && onPage.length >= own.length * SHARE && !asksForWindow(own, onPage)
}

function isServerSwitchedOff(folder: string, all: readonly Source[]): boolean {
  const isOff = ({ file, text }: Source) => CONFIG_OF_PAGES.test(inside(folder, file)) && SWITCHED_OFF.test(text) && !KEPT.test(text)
  return all.some(isOff) && !all.some(({ file }) => SERVER_OF_PAGES.test(inside(folder, file)))
}

/** What is built into the package: not what stands beside its sources. */
function ownCode(folder: string, all: readonly Source[], isTest: (file: string) => boolean): readonly Source[] {
  const code = all.filter(({ file }) => {
    const path = inside(folder, file)
    return /\.(vue|[cm]?[jt]sx?)$/.test(path) && !NOT_ITS_CODE.test(path) && !isStartedByHand(path) && !isTest(file)
  })
  const below = code.filter(({ file }) => inside(folder, file).includes('/'))
  return below.length > 0 ? below : code
}

function imports(signs: readonly RegExp[], text: string): boolean {
  if (!signs.some((sign) => sign.test(text))) return false
  const withoutTypes = text.replace(FOR_TYPES, '')
  return signs.some((sign) => sign.test(withoutTypes))
}

/** Most of what uses a page asks first whether there is one: made for both. */
function asksForWindow(own: readonly Source[], onPage: readonly Source[]): boolean {
  return own.filter(({ text }) => ASKS_FOR_WINDOW.test(text)).length * 2 > onPage.length
}

function inside(folder: string, file: string): string {
  return folder === '' ? file : file.slice(folder.length + 1)
}
