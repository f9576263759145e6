import type { LibraryModel } from './library-model.js'
import { axiosModel } from './models/axios.js'
import { fetchModel } from './models/fetch.js'
import { pgModel } from './models/pg.js'
import { ioredisModel } from './models/ioredis.js'

/** Every library that is known; a new one is a file in `models/`, its test, and a line here. */
export const allModels: readonly LibraryModel[] = [fetchModel, axiosModel, pgModel, ioredisModel]
