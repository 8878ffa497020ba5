import { existsSync } from 'node:fs'

/** `no-verify` is the driver's own. `allow` and `prefer` would also connect without TLS. */
const SSL_MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full']
const FILE_PARAMETERS = ['sslrootcert', 'sslcert', 'sslkey']

const readParameters = (url: string) => new URLSearchParams(url.split('?')[1])

/** Returns what the TLS parameters should be, without their values. */
export function findTlsProblem(url: string): string | undefined {
  const parameters = readParameters(url)
  const mode = parameters.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode)) return `sslmode: ${SSL_MODES.join(', ')}`
  if (mode === 'verify-ca' && !parameters.has('sslrootcert'))
    return 'sslmode=verify-ca: sslrootcert with the file of the CA, or sslmode=verify-full'
  for (const name of FILE_PARAMETERS) {
    const path = parameters.get(name)
    if (path !== null && !existsSync(path)) return `${name}: a file that Callboard may read`
  }
  return undefined
}

/** Gives the modes the meaning that they have for PostgreSQL's own programs: the driver's differs, and it warns of that. */
export function withUsualTlsModes(url: string): string {
  const parameters = readParameters(url)
  const mode = parameters.get('sslmode')
  if (mode === null || mode === 'no-verify' || parameters.has('uselibpqcompat')) return url
  parameters.set('uselibpqcompat', 'true')
  return `${url.split('?')[0]}?${parameters}`
}
