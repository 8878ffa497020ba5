import type { z } from 'zod'

/** One rule broken at one place, in the words that Slack's own validator uses where they are known. */
export interface Violation {
  /** JSON pointer from the message or view, such as `/blocks/2/elements/0/text`; empty for the whole of it. */
  readonly path: string
  readonly rule: string
}

export function violation(path: readonly PropertyKey[], rule: string): Violation {
  return { path: toPointer(path), rule }
}

/** Everything that zod found, one violation a problem; unknown keys are named one by one. */
export function fromZod(error: z.ZodError, at: readonly PropertyKey[] = []): readonly Violation[] {
  return error.issues.flatMap((issue) => fromIssue(issue, at))
}

/**
 * The lines of `response_metadata.messages` in Slack's refusal.
 * @param root where the checked value sits in the call's arguments; a view's pointers start with `/view`.
 */
export function toSlackMessages(violations: readonly Violation[], root = ''): string[] {
  return violations.map(({ path, rule }) => `[ERROR] ${rule} [json-pointer:${root}${path}]`)
}

function fromIssue(issue: z.core.$ZodIssue, at: readonly PropertyKey[]): readonly Violation[] {
  const path = [...at, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => violation(path, `invalid additional property: ${key}`))
  }
  if (issue.code === 'invalid_union' && issue.discriminator === undefined) {
    return [
      violation(path, 'failed to match all allowed schemas'),
      ...issue.errors.flat().flatMap((inner) => fromIssue(inner, path)),
    ]
  }
  return [violation(path, issue.message)]
}

function toPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
