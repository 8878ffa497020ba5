/** Requests a resource that the main process starts once for all files. */
export async function askShared(what: 'database' | 'browser' | 'build'): Promise<string> {
  const response = await fetch(`${process.env['SHARED_BY_TESTS']}/${what}`)
  const text = await response.text()
  if (!response.ok) throw new Error(`there is no ${what}: ${text}`)
  return text
}
