import { prepareProcess } from '../src/util/prepare-process.ts'

// The first import of every program in dev: what is imported after it is evaluated after it.
prepareProcess(process.env)
