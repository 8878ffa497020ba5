/** Returns the environment of a program that listens on a port of loopback: only these variables, none of this process's. */
export const programEnv = (
  port: number,
  variables: Readonly<Record<string, string>>,
): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  // Set before the start, so that the entry program is cached too.
  NODE_COMPILE_CACHE: 'node_modules/.cache/compile',
  HOST: '127.0.0.1',
  PORT: String(port),
  ...variables,
})
