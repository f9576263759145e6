import axios from 'axios'
export const a = () => axios.get('http://a.internal')
