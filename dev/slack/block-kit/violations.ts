import type { z } from 'zod'

/** A violated rule and its place. The wording is Slack's where it is known. */
export interface Violation {
  /** JSON pointer into the message or view, such as `/blocks/2/elements/0/text`; empty for all of it. */
  readonly path: string
  readonly rule: string
}

export function violation(path: readonly PropertyKey[], rule: string): Violation {
  return { path: toPointer(path), rule }
}

/** Finds texts with half a character, such as an emoji that was cut in two: Slack refuses such JSON. */
export function checkCharacters(payload: unknown): readonly Violation[] {
  const violations: Violation[] = []
  JSON.stringify(payload, (key, value: unknown) => {
    if (typeof value === 'string' && !value.isWellFormed())
      violations.push(violation([key], 'has half a character'))
    return value
  })
  return violations
}

/** Converts zod's issues, with one violation for each unknown key. */
export function fromZod(error: z.ZodError, at: readonly PropertyKey[] = []): readonly Violation[] {
  return error.issues.flatMap((issue) => fromIssue(issue, at))
}

/**
 * Returns the lines of `response_metadata.messages` in Slack's refusal.
 * @param root pointer to the checked value in the call's arguments, such as `/view`
 */
export function toSlackMessages(violations: readonly Violation[], root = ''): string[] {
  return violations.map(({ path, rule }) => `[ERROR] ${rule} [json-pointer:${root}${path}]`)
}

function fromIssue(issue: z.core.$ZodIssue, at: readonly PropertyKey[]): readonly Violation[] {
  const path = [...at, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => violation(path, `invalid additional property: ${key}`))
  }
  return [violation(path, issue.message)]
}

function toPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
