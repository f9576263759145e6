import type { LibraryModel } from './library-model.js'
import { amqplibModel } from './models/amqplib.js'
import { awsSdkModel } from './models/aws-sdk.js'
import { axiosModel } from './models/axios.js'
import { bullModel } from './models/bull.js'
import { bullmqModel } from './models/bullmq.js'
import { connectModel } from './models/connect.js'
import { drizzleModel } from './models/drizzle.js'
import { elasticsearchModel } from './models/elasticsearch.js'
import { fetchModel } from './models/fetch.js'
import { gotModel } from './models/got.js'
import { grpcModel } from './models/grpc.js'
import { ioredisModel } from './models/ioredis.js'
import { kafkajsModel } from './models/kafkajs.js'
import { knexModel } from './models/knex.js'
import { kyModel } from './models/ky.js'
import { mongodbModel } from './models/mongodb.js'
import { mongooseModel } from './models/mongoose.js'
import { mysql2Model, mysqlModel } from './models/mysql2.js'
import { nestMicroservicesModel } from './models/nest-microservices.js'
import { nodeFetchModel } from './models/node-fetch.js'
import { nodeHttpModel } from './models/node-http.js'
import { anthropicModel, openaiModel } from './models/openai.js'
import { pgModel } from './models/pg.js'
import { pgPromiseModel } from './models/pg-promise.js'
import { postgresModel } from './models/postgres.js'
import { prismaModel } from './models/prisma.js'
import { redisModel } from './models/redis.js'
import { sequelizeModel } from './models/sequelize.js'
import { stripeModel } from './models/stripe.js'
import { superagentModel } from './models/superagent.js'
import { typeormModel } from './models/typeorm.js'
import { undiciModel } from './models/undici.js'

/** Every library that is known; a new one is a file in `models/`, its test, and a line here. */
export const allModels: readonly LibraryModel[] = [
  fetchModel,
  undiciModel,
  nodeHttpModel,
  nodeFetchModel,
  axiosModel,
  gotModel,
  kyModel,
  superagentModel,
  openaiModel,
  anthropicModel,
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
]
