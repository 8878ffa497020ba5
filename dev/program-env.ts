/** The environment of a program that is started on a port of loopback: these variables, and nothing of this process's. */
export const programEnv = (
  port: number,
  variables: Readonly<Record<string, string>>,
): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOST: '127.0.0.1',
  PORT: String(port),
  ...variables,
})
