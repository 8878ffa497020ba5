/** The environment of a program that is started on a port of loopback: what it is given, and nothing of this process's. */
export const programEnv = (
  port: number,
  given: Readonly<Record<string, string>>,
): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOST: '127.0.0.1',
  PORT: String(port),
  ...given,
})
