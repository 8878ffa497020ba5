import { describe } from 'vitest'
import { createDatabase } from '../support/shared/database.ts'
import { testKilledExports } from './killed-exports.ts'

describe('an export whose process is killed, over PostgreSQL,', () => {
  testKilledExports(createDatabase)
})
