import type { LimitState } from '../limits/limit-state.js'
import { readingOf } from '../limits/reading.js'
import { signalIn } from '../signals/signal-in.js'
import { spotOf } from '../syntax/module.js'
import { triesOf } from './attempts-of.js'
import { awsAttempts } from './aws-attempts.js'
import { answerLimit, awsRemedies } from './aws-handler.js'
import type { LibraryModel, Site } from './library-model.js'

const OPERATION = /^(?!(destroy|constructor|toString|valueOf|hasOwnProperty)$|paginate|waitUntil)[a-z]\w*$/

/** The clients with a method for each operation, as their packages call them. */
const WITH_A_METHOD_EACH = (
  'S3 SQS SNS SES SESv2 DynamoDB DynamoDBStreams Lambda KMS STS SSM EventBridge Scheduler SecretsManager CloudWatch CloudWatchLogs ' +
  'CloudFront CloudFormation CognitoIdentity CognitoIdentityProvider Polly Textract Rekognition Transcribe Translate Comprehend ' +
  'BedrockRuntime SageMakerRuntime Kinesis Firehose SFN Athena Glue RDS RDSData RedshiftData EC2 ECS ECR EKS IAM Route53 ACM ' +
  'APIGateway AutoScaling Batch CodeBuild IoT IoTDataPlane MediaConvert Organizations Pinpoint'
).split(' ')

/** The clients of AWS: no limit but what the request handler is given, and three attempts. */
export const awsSdkModel: LibraryModel = {
  id: 'aws-sdk-js v3',
  packages: ['@aws-sdk/client-*', '@aws-sdk/lib-dynamodb'],
  clients: [
    {
      kind: 'client',
      on: null,
      made: new RegExp(`^[A-Z]\\w*Client$|^(${WITH_A_METHOD_EACH.join('|')})$`),
      optionsAt: 0,
      isJudged: true,
    },
    { kind: 'document', on: null, made: ['DynamoDBDocumentClient.from', 'DynamoDBDocument.from'], optionsAt: -1 },
  ],
  calls: [
    // Of a client with a method for each operation everything else asks, too.
    { on: 'document', method: OPERATION, optionsAt: 1 },
    { on: 'client', method: OPERATION, optionsAt: 1 },
  ],
  read: (site) =>
    readingOf({
      overall: signalIn(site, site.options, 'abortSignal'),
      phases: [
        { what: 'the answer', kind: 'silence', limit: site.method === 'new' && onlySigns(site) ? SIGNED : answerLimit(configured(site)) },
      ],
      ...triesOf(awsAttempts(configured(site))),
      ...awsRemedies(configured(site)),
    }),
}

/** A document client is limited where the client is made that it was made from. */
function configured(site: Site): Site {
  const { client } = site
  const from = client?.kind === 'document' ? client.args[0] : undefined
  if (!client || from?.kind !== 'made') return site
  const { at } = from
  return { ...site, client: { ...client, options: from.args[0], at, spot: spotOf(at.node, at.module) } }
}

const SIGNED: LimitState = { state: 'unknown', name: 'requestHandler', why: 'it only signs' }

/** What makes a signed address of a client and a command, without asking anybody. */
const SIGNER = /^@aws-sdk\/(s3-request-presigner|s3-presigned-post|cloudfront-signer|rds-signer)$/

function onlySigns({ client, at, uses }: Site): boolean {
  const handedTo = client?.identity == null ? [] : uses.passedTo(client.identity)
  const signs = handedTo.some(({ callee }) => callee.kind === 'external' && SIGNER.test(callee.package))
  return signs || at.module.requests.some((request) => SIGNER.test(request))
}
