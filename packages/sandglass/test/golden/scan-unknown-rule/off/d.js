import axios from 'axios'
axios.get('http://d.internal')
