import { accountSdkCases } from './cases/account-sdk-cases.js'
import { aiCases, resendCases } from './cases/ai-cases.js'
import { geminiCases, googleapisCases, groqCases, meiliCases, ollamaCases, qdrantCases, supabaseCases } from './cases/asked-sdk-cases.js'
import { axiosCases } from './cases/axios-cases.js'
import { businessSdkCases } from './cases/business-sdk-cases.js'
import { dataSdkCases } from './cases/data-sdk-cases.js'
import { fetchCases } from './cases/fetch-cases.js'
import { gaxCases } from './cases/gax-cases.js'
import { gotCases } from './cases/got-cases.js'
import { allIoredisCases } from './cases/ioredis-cases.js'
import { allKyCases } from './cases/ky-cases.js'
import { allMongoCases } from './cases/mongo-cases.js'
import { nodeFetchCases } from './cases/node-fetch-cases.js'
import { nodeHttpCases } from './cases/node-http-cases.js'
import { pgCases } from './cases/pg-cases.js'
import { allGraphqlCases, isomorphicCases, ofetchCases, requestCases } from './cases/plain-http-cases.js'
import { blobCases, notionCases, octokitCases, qstashCases, sendgridCases } from './cases/plain-sdk-cases.js'
import { amqpCases, bullCases, kafkaCases } from './cases/queue-cases.js'
import { allRedisCases } from './cases/redis-cases.js'
import { restSdkCases } from './cases/rest-sdk-cases.js'
import { connectCases, grpcCases } from './cases/rpc-cases.js'
import { allElasticCases, awsCases, openaiCases, stripeCases } from './cases/sdk-cases.js'
import { allSlackCases, clickhouseCases, mailCases, opensearchCases, upstashCases } from './cases/service-cases.js'
import { knexCases, mysqlCases, postgresCases } from './cases/sql-cases.js'
import { storeCases } from './cases/store-cases.js'
import { superagentCases } from './cases/superagent-cases.js'
import { toldSdkCases } from './cases/told-sdk-cases.js'
import { allUndiciCases } from './cases/undici-cases.js'
import { wireCases } from './cases/wire-cases.js'
import { wrapperCases } from './cases/wrapper-cases.js'
import type { ClientCase } from './client-case.js'

/** Every case, in the order of the table. */
export const allCases: readonly ClientCase[] = [
  ...fetchCases,
  ...allUndiciCases,
  ...nodeHttpCases,
  ...axiosCases,
  ...gotCases,
  ...allKyCases,
  ...superagentCases,
  ...nodeFetchCases,
  ...requestCases,
  ...ofetchCases,
  ...isomorphicCases,
  ...allGraphqlCases,
  ...wrapperCases,
  ...pgCases,
  ...postgresCases,
  ...mysqlCases,
  ...knexCases,
  ...allIoredisCases,
  ...allRedisCases,
  ...allMongoCases,
  ...kafkaCases,
  ...amqpCases,
  ...bullCases,
  ...grpcCases,
  ...connectCases,
  ...awsCases,
  ...openaiCases,
  ...stripeCases,
  ...aiCases,
  ...resendCases,
  ...allElasticCases,
  ...clickhouseCases,
  ...opensearchCases,
  ...upstashCases,
  ...allSlackCases,
  ...mailCases,
  ...octokitCases,
  ...qstashCases,
  ...notionCases,
  ...sendgridCases,
  ...blobCases,
  ...storeCases,
  ...toldSdkCases,
  ...dataSdkCases,
  ...wireCases,
  ...restSdkCases,
  ...accountSdkCases,
  ...businessSdkCases,
  ...gaxCases,
  ...googleapisCases,
  ...geminiCases,
  ...supabaseCases,
  ...groqCases,
  ...ollamaCases,
  ...qdrantCases,
  ...meiliCases,
]
