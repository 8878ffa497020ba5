/** The environment of a program that is started on a port of loopback: these variables, and nothing of this process's. */
export const programEnv = (
  port: number,
  variables: Readonly<Record<string, string>>,
): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  // From the start, as in an image: then the entry program is served from it too.
  NODE_COMPILE_CACHE: 'node_modules/.cache/compile',
  HOST: '127.0.0.1',
  PORT: String(port),
  ...variables,
})
