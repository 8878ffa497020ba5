import { join } from 'node:path'
import { describe } from 'vitest'
import { testKilledExports } from './killed-exports.ts'

describe('an export whose process is killed, over SQLite,', () => {
  testKilledExports((folder) => `sqlite:${join(folder, 'store.sqlite')}`)
})
