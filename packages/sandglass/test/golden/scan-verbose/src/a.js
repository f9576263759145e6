import axios from 'axios'
export const a = (url) => axios.get(url, { timeout: settings().timeout })
