import axios from 'axios'
export const b = () => axios.get('http://b.internal')
