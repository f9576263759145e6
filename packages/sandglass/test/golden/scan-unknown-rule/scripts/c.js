import axios from 'axios'
axios.get('http://c.internal')
