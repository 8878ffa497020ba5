import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, it } from 'vitest'
import { ConfigError, readConfig, readStoreUrl } from '../../src/config/config.ts'

const server = 'postgres://callboard:invented@db.example.com/calls'

/** How the driver would connect. */
function readTls(parameters: string): unknown {
  const client = new pg.Client(readStoreUrl({ STORE_URL: `${server}?${parameters}` }))
  expect(`postgres://${client.user}:${client.password}@${client.host}/${client.database}`).toBe(server)
  return client.ssl
}

const anyCertificate = { rejectUnauthorized: false }
const ca = { ca: expect.stringContaining('callboard') }
const anyName = { checkServerIdentity: expect.any(Function) }

it.each([
  ['sslmode=disable', false],
  ['sslmode=no-verify', anyCertificate],
  ['sslmode=no-verify&sslrootcert=package.json', { ...anyCertificate, ...ca }],
  ['sslmode=require', anyCertificate],
  ['sslmode=require&sslrootcert=package.json', { ...ca, ...anyName }],
  ['sslmode=verify-ca&sslrootcert=package.json', { ...ca, ...anyName }],
  ['sslmode=verify-full', {}],
  ['sslrootcert=.%2Fpackage.json&sslmode=verify-full&application_name=a%20b', ca],
])("?%s means what it means for PostgreSQL's own programs", (parameters, tls) => {
  expect(readTls(parameters)).toEqual(tls)
})

function readProblem(name: string, parameters: string): string {
  try {
    readConfig({ [name]: `${server}?${parameters}` })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    expect(error.message).not.toContain('invented')
    return error.message.split('\n').find((line) => line.includes(`  ${name}: `)) ?? ''
  }
  return ''
}

it.each([
  ['sslmode=prefer', 'sslmode: disable, no-verify, require'],
  ['sslmode=allow', 'sslmode: disable, no-verify, require'],
  ['sslmode=', 'sslmode: disable, no-verify, require'],
  ['sslmode=verify-ca', 'sslrootcert with the file of the CA'],
  ['sslmode=verify-full&sslrootcert=/nowhere.pem', 'sslrootcert: a file that Callboard may read'],
  ['sslmode=require&sslcert=/nowhere.pem', 'sslcert: a file that Callboard may read'],
  ['sslmode=require&sslkey=/nowhere.pem', 'sslkey: a file that Callboard may read'],
])('?%s is refused in words', (parameters, problem) => {
  for (const name of ['STORE_URL', 'DATABASE_URL']) expect(readProblem(name, parameters)).toContain(problem)
})

it("doesn't print the driver's warning beside the log", async () => {
  const url = readStoreUrl({ STORE_URL: `${server}?sslmode=require` })
  const program = `new (require('pg').Client)(${JSON.stringify(url)})`
  const { stderr } = await promisify(execFile)(process.execPath, ['-e', program])
  expect(stderr).toBe('')
})
