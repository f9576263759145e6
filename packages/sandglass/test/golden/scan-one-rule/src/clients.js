import axios from 'axios'
import { Pool } from 'pg'

export const db = new Pool({ host: 'orders-db', max: 20 })

export const payments = axios.create({
  baseURL: 'http://payments:8080',
  timeout: 2 * 1000,
})
