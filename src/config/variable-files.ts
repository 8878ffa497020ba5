import { readFileSync } from 'node:fs'

export type Environment = Readonly<Record<string, string | undefined>>

function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Reads `NAME` from the file that `NAME_FILE` names: Docker and Kubernetes provide secrets as files. */
export function readVariableFiles(environment: Environment, names: readonly string[]) {
  const variables: Record<string, string | undefined> = { ...environment }
  const problems = new Map<string, string>()
  for (const name of names) {
    const path = environment[`${name}_FILE`]?.trim() ?? ''
    if (path === '') continue
    const text = readTextFile(path)
    if (text === undefined) problems.set(name, `${name}_FILE: a file that Callboard may read`)
    else if (environment[name]?.trim()) problems.set(name, `${name}: not together with ${name}_FILE`)
    else variables[name] = text
  }
  return { variables, problems }
}
