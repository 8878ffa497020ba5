import { connect, createServer } from 'node:net'
import pg from 'pg'
import { expect, it } from 'vitest'
import { listen } from '../../dev/listen.ts'
import { createDatabase } from '../support/shared/database.ts'
import { AppProcess, ENCRYPTION_KEYS } from './app-process.ts'

/** Forwards connections to the database, and cuts the first ones that create the schema. */
async function startCuttingProxy(to: number, cuts: number) {
  let left = cuts
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    const cut = () => {
      near.resetAndDestroy()
      far.destroy()
    }
    near.on('data', (chunk) => {
      const isSchema = chunk.includes('CREATE TABLE IF NOT EXISTS callboard_store')
      if (isSchema && left > 0) {
        left -= 1
        cut()
      } else far.write(chunk)
    })
    far.on('data', (chunk) => near.write(chunk))
    for (const socket of [near, far]) socket.on('error', cut).on('close', cut)
  })
  return { port: await listen(server), isSpent: () => left === 0, close: () => server.close() }
}

it('survives connections that are cut during schema creation, and logs only the error code of an idle one', async () => {
  const database = await createDatabase()
  const proxy = await startCuttingProxy(Number(new URL(database).port), 3)
  const through = new URL(database)
  through.port = String(proxy.port)
  const app = await AppProcess.start({
    SLACK_SIGNING_SECRET: 'invented',
    SLACK_BOT_TOKEN: 'xoxb-invented',
    TELEPHONY_BASE_URL: 'http://127.0.0.1:1/api/v1',
    STORE_URL: through.href,
    ENCRYPTION_KEYS,
  })
  const readiness = async () => (await fetch(`${app.url}/readyz`)).status
  try {
    await app.listening()
    await expect.poll(readiness, { timeout: 8000 }).toBe(200)
    expect(proxy.isSpent()).toBe(true)

    const client = new pg.Client(database)
    await client.connect()
    // Repeats until an idle connection is cut; at first, all of them may be busy.
    const cut = async () => {
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
      )
      return app.output
    }
    await expect
      .poll(cut, { timeout: 15_000, interval: 500 })
      .toContain('the database closed an idle connection')
    await client.end()
    await expect.poll(readiness, { timeout: 8000 }).toBe(200)
    // PostgreSQL's 57P01 may be lost if the connection is reset first.
    expect(app.output).toMatch(/"code":"(57P01|ECONNRESET)".*the database closed an idle connection/)
    for (const secret of ['secretKey', 'processID', '_events', '"client"', 'invented@'])
      expect(app.output).not.toContain(secret)
    app.kill('SIGTERM')
    expect(await app.exited).toBe(0)
  } finally {
    app.kill('SIGKILL')
    await app.exited
    proxy.close()
  }
})
