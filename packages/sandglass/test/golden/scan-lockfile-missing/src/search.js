import { Client } from '@elastic/elasticsearch'
const client = new Client({ node: 'http://search:9200' })
export const hits = (index) => client.search({ index })
