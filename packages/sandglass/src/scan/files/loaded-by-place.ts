import type { Source } from '../../model/sourced.js'
import { folderOf, foldersUp } from '../lockfile/folder-path.js'
import type { Module } from '../syntax/module.js'
import { directiveOf } from './directive-of.js'
import { needs } from './hidden-users.js'
import type { Project } from './project.js'

/** Folders whose files something loads that looks for them there. */
const LOADED_FOLDER =
  /(^|\/)(routes?|plugins?|middlewares?|commands?|events?|listeners?|(cron-?)?jobs?|crons?|tasks?|workers?|queues?|consumers?|processors?|subscribers?|functions|lambdas?|handlers?|resolvers?|controllers?|models?|entit(y|ies)|migrations?|migrationdb|seeds?|seeders?|hooks?|policies|extensions?|triggers?|workflows?|activities|actions|loaders?|scripts?|bin|composables|islands|stories|themes?)\//
/** Such as count only at the top of a package. */
const LOADED_AT_TOP = /^(src\/)?(pages|api|app|server\/(api|routes|utils|plugins|middleware)|services)\/|^(src\/)?[^/]+$/
/** Where Next.js loads only what is called as it asks for: `page`, `route`. */
const APP_OF_NEXT = /^(src\/)?app\//
/** Names of files that something starts or loads by them, and endings that do the same. */
const LOADED_FILE =
  /(^|\/)(index|main|server|app|worker|start|bot|cli|entry|handler|lambda|run|instrumentation|middleware|proxy|bootstrap|page|route|layout|template|default|error|loading|not-found|sitemap|robots)\.\w+$|[.-](config|controller|service|resolver|module|gateway|processor|subscriber|entity|model|job|task|worker|command|event|handler|function|route|router|plugin|hook|listener|schedule|cron|server|stories|d)\.\w+$|\.client\.\w+$|(Controller|Resolver|Subscriber|Processor|Worker|Job)\.\w+$/
/** Exports that something calls by their name; a default one is for whoever imports it. */
const STARTED =
  /^(handler|main|loader|action|actions|load|register|setup|init|start|stop|run|execute|process|perform|up|down|seed|activate|bootstrap|GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|ALL|get[A-Z]\w*(Props|Paths)|generate(Metadata|StaticParams|Viewport|ImageMetadata|Sitemaps))$/
/** What loads whole folders, or what a configuration names. */
const LOADS_FOLDERS =
  /^(serverless|sst|sails|@strapi\/strapi|meteor-.*|moleculer|egg|midway|@midwayjs\/.*|@adonisjs\/core|@loopback\/boot|@redwoodjs\/.*|encore\.dev|@medusajs\/.*|fastify-cli|nuxt|nitropack|hubot|probot|@trigger\.dev\/sdk|graphile-worker|bree|@directus\/extensions-sdk|n8n-workflow|gatsby|@docusaurus\/core|@sapphire\/framework|discord-akairo|@discordx\/importer|@tsed\/.*|aws-lambda|@types\/aws-lambda|@azure\/functions|firebase-functions|@google-cloud\/functions-framework|@netlify\/functions|@vercel\/node|openapi-backend|express-openapi|swagger-tools|exegesis-express|electron|expo|react-native)$/
const NEXT = /^next$/

/** What loads folders only where it is told to, and how it is told. */
const LOADS_IF_TOLD = [
  { packages: /^express-openapi-validator$/, told: /\boperationHandlers\b/ },
  { packages: /^awilix$/, told: /\bloadModules\b/ },
  {
    packages:
      /^(include-all|require-all|require-dir|require-directory|requireindex|consign|express-load|fastify-autoload|@fastify\/autoload)$/,
    told: /['"`](include-all|require-all|require-dir|require-directory|requireindex|consign|express-load|fastify-autoload|@fastify\/autoload)['"`]/,
  },
]

/**
 * True where something may load a module by where it stands or how it is called, though nobody imports it. `isListed` tells whether others
 * import what stands beside a file, so that nothing looks for files there.
 */
export function isLoadedByPlace(module: Module, project: Project, isListed: (file: string) => boolean): boolean {
  const {
    source: { file },
    exports,
  } = module
  const manifest = project.manifestOf(file)
  if (manifest === null || manifest.isForOthers || manifest.isForEditor) return true
  const home = project.packageOf(file)
  const inside = home === '' ? file : file.slice(home.length + 1)
  if (LOADED_FILE.test(inside)) return true
  // What is an action of a page is one only for those that import it.
  const isAction = needs(NEXT, manifest) && directiveOf(module) === 'use server'
  const isBeside = isAction || (needs(NEXT, manifest) && APP_OF_NEXT.test(inside))
  if (!isBeside && (LOADED_AT_TOP.test(inside) || (LOADED_FOLDER.test(inside) && !isListed(file)))) return true
  if (!isAction && [...exports.keys()].some((name) => STARTED.test(name))) return true
  return foldersUp(folderOf(file)).some((folder) => {
    const above = project.manifestOf(folder === '' ? 'package.json' : `${folder}/package.json`)
    return (
      needs(LOADS_FOLDERS, above) || LOADS_IF_TOLD.some((loader) => needs(loader.packages, above) && isToldIn(project.sources, loader.told))
    )
  })
}

/** Whether some sources tell it: read once, not for each of thousands of files. */
const known = new WeakMap<readonly Source[], Map<RegExp, boolean>>()

function isToldIn(sources: readonly Source[], told: RegExp): boolean {
  const answers = known.get(sources) ?? new Map<RegExp, boolean>()
  known.set(sources, answers)
  const isTold = answers.get(told) ?? sources.some(({ text }) => told.test(text))
  answers.set(told, isTold)
  return isTold
}
