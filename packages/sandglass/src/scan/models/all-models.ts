import { accountSdkModels } from './account-sdks.js'
import { aiSdkModel } from './ai-sdk.js'
import { amqplibModel } from './amqplib.js'
import { awsSdkModel } from './aws-sdk.js'
import { axiosModel } from './axios.js'
import { bullModel } from './bull.js'
import { bullmqModel } from './bullmq.js'
import { businessSdkModels } from './business-sdks.js'
import { clickhouseModel } from './clickhouse.js'
import { cloudSdkModels } from './cloud-sdks.js'
import { connectModel } from './connect.js'
import { contentSdkModels } from './content-sdks.js'
import { crossFetchModel } from './cross-fetch.js'
import { dataSdkModels } from './data-sdks.js'
import { drizzleModel } from './drizzle.js'
import { elasticsearchModel } from './elasticsearch.js'
import { engineSdkModels } from './engine-sdks.js'
import { eventSdkModels } from './event-sdks.js'
import { fastifyProxyModel } from './fastify-proxy.js'
import { fetchModel } from './fetch.js'
import { followRedirectsModel } from './follow-redirects.js'
import { gaxSdkModels } from './gax-sdks.js'
import { githubSdkModels } from './github-sdks.js'
import { googleSdkModels } from './google-sdks.js'
import { gotModel } from './got.js'
import { grpcModel } from './grpc.js'
import { httpSdkModels } from './http-sdks.js'
import { ioredisModel } from './ioredis.js'
import { isomorphicFetchModel, platformFetchModels } from './isomorphic-fetch.js'
import { kafkajsModel } from './kafkajs.js'
import { knexModel } from './knex.js'
import { kyModel } from './ky.js'
import type { LibraryModel } from './library-model.js'
import { loginSdkModels } from './login-sdks.js'
import { modelSdkModels } from './model-sdks.js'
import { mongodbModel } from './mongodb.js'
import { mongooseModel } from './mongoose.js'
import { mysql2Model, mysqlModel } from './mysql2.js'
import { nestAxiosModel } from './nest-axios.js'
import { nestIoredisModel } from './nest-ioredis.js'
import { nestMicroservicesModel } from './nest-microservices.js'
import { nodeFetchModel } from './node-fetch.js'
import { nodeHttpModel } from './node-http.js'
import { nodeNetModel } from './node-net.js'
import { nodemailerModel } from './nodemailer.js'
import { noticeSdkModels } from './notice-sdks.js'
import { anthropicModel, groqModel, openaiModel, togetherModel } from './openai.js'
import { opensearchModel } from './opensearch.js'
import { parseSdkModels } from './parse-sdks.js'
import { pgModel } from './pg.js'
import { pgPromiseModel } from './pg-promise.js'
import { postgresModel } from './postgres.js'
import { prismaModel } from './prisma.js'
import { redisModel } from './redis.js'
import { restSdkModels } from './rest-sdks.js'
import { retryRequestModel } from './retry-request.js'
import { rpcSdkModels } from './rpc-sdks.js'
import { sentryModel } from './sentry.js'
import { sequelizeModel } from './sequelize.js'
import { serviceSdkModels } from './service-sdks.js'
import { sessionStoreModels } from './session-stores.js'
import { shellSdkModels } from './shell-sdks.js'
import { slackModel } from './slack.js'
import { socialSdkModels } from './social-sdks.js'
import { socketSdkModels } from './socket-sdks.js'
import { storageSdkModels } from './storage-sdks.js'
import { storeModels } from './stores.js'
import { stripeModel } from './stripe.js'
import { supabaseModel } from './supabase.js'
import { superagentModel } from './superagent.js'
import { typeormModel } from './typeorm.js'
import { undiciModel } from './undici.js'
import { upstashModel } from './upstash.js'
import { voiceSdkModels } from './voice-sdks.js'
import { webSdkModels } from './web-sdks.js'
import { wireStoreModels } from './wire-stores.js'

/** Every library that is known; a new one is a file in `models/`, its test, and a line here, or a row in one of the tables of SDKs. */
export const allModels: readonly LibraryModel[] = [
  fetchModel,
  undiciModel,
  nodeHttpModel,
  nodeNetModel,
  followRedirectsModel,
  nodeFetchModel,
  crossFetchModel,
  isomorphicFetchModel,
  ...platformFetchModels,
  axiosModel,
  gotModel,
  kyModel,
  superagentModel,
  retryRequestModel,
  openaiModel,
  anthropicModel,
  groqModel,
  togetherModel,
  aiSdkModel,
  stripeModel,
  elasticsearchModel,
  awsSdkModel,
  pgModel,
  ioredisModel,
  redisModel,
  bullmqModel,
  mysql2Model,
  mysqlModel,
  postgresModel,
  mongodbModel,
  mongooseModel,
  grpcModel,
  kafkajsModel,
  amqplibModel,
  connectModel,
  nestMicroservicesModel,
  knexModel,
  prismaModel,
  sequelizeModel,
  typeormModel,
  pgPromiseModel,
  bullModel,
  drizzleModel,
  nodemailerModel,
  slackModel,
  upstashModel,
  opensearchModel,
  clickhouseModel,
  ...httpSdkModels,
  ...githubSdkModels,
  ...cloudSdkModels,
  ...googleSdkModels,
  ...modelSdkModels,
  ...serviceSdkModels,
  ...storageSdkModels,
  ...socialSdkModels,
  ...webSdkModels,
  ...sessionStoreModels,
  ...dataSdkModels,
  ...shellSdkModels,
  ...parseSdkModels,
  ...socketSdkModels,
  ...rpcSdkModels,
  ...contentSdkModels,
  fastifyProxyModel,
  ...eventSdkModels,
  ...gaxSdkModels,
  ...restSdkModels,
  ...noticeSdkModels,
  ...accountSdkModels,
  ...loginSdkModels,
  ...businessSdkModels,
  ...engineSdkModels,
  ...voiceSdkModels,
  sentryModel,
  nestAxiosModel,
  nestIoredisModel,
  supabaseModel,
  ...storeModels,
  ...wireStoreModels,
]
