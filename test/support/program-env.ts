/** The environment of a program that is started on a port of loopback: what it is given, and nothing of this process's. */
export const programEnv = (
  port: number,
  given: Readonly<Record<string, string>>,
): Record<string, string> => ({
  TZ: 'UTC',
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: 'node_modules/.cache/compile',
  HOST: '127.0.0.1',
  PORT: String(port),
  ...given,
})
