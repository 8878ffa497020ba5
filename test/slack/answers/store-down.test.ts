import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { useHouse } from '../../support/app.ts'

const house = useHouse()

it('apologizes with a reference that is in the log where the store fails, for a command and for a click', async () => {
  const { connect, ask, click, config, logs } = house()
  await connect()
  const message = await ask('')
  const db = new DatabaseSync(config.storeUrl.slice('sqlite:'.length))
  db.exec('DROP TABLE callboard_store')
  db.close()
  for (const apology of [await ask(''), await click(message, 'calls.page.next')]) {
    expect(apology.text).toContain('something went wrong on our side')
    const reference = /[0-9a-f]{8}/.exec(apology.text)?.[0]
    expect(logs.some((line) => line.includes(`"req":"${reference}"`) && line.includes('no such table'))).toBe(
      true,
    )
  }
})
