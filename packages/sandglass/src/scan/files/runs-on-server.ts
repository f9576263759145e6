import type { Module } from '../syntax/module.js'
import { isOnlyForTypes } from '../syntax/only-types.js'
import { directiveOf } from './directive-of.js'

/** What only a server has: its frameworks, and drivers that open connections of their own. */
const SERVER_PACKAGE =
  /^(server-only$|next\/(headers|server|cache)$|express$|fastify$|koa$|@nestjs\/|hono$|(pg|pg-promise|postgres|mysql2?|ioredis|redis|bullmq|bull|kafkajs|amqplib|mongodb|mongoose|knex|sequelize|typeorm|nodemailer|resend|stripe|@slack\/web-api|@grpc\/grpc-js)(\/|$))/
/** Pages import it too, for the part of them that a server runs. */
const OF_PAGES = /^(@remix-run\/(node|express|server-runtime)|@react-router\/node)$/
const BUILTIN = /^(node:|(fs|path|http|https|net|tls|os|child_process|crypto|stream|cluster|worker_threads|async_hooks)(\/promises)?$)/
const SERVER_FILE = /\.server\.[cm]?[jt]sx?$|(^|\/)\.server\//

/** True for a module that a browser could not load, whatever folder it stands in: by its name, its directive, or what it imports. */
export function isServersOwn(module: Module): boolean {
  const isPage = /\.[jt]sx$/.test(module.source.file)
  return (
    directiveOf(module) === 'use server' ||
    SERVER_FILE.test(module.source.file) ||
    module.requests.some(
      (request) => (SERVER_PACKAGE.test(request) || (!isPage && OF_PAGES.test(request))) && !isOnlyForTypes(request, module),
    )
  )
}

/** The same, and what imports something of Node: what builds a page does so too. */
export function runsOnServer(module: Module): boolean {
  return isServersOwn(module) || module.requests.some((request) => BUILTIN.test(request) && !isOnlyForTypes(request, module))
}
