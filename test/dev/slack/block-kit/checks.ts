import { expect, it } from 'vitest'
import { checkMessage, checkView, type Violation } from '../../../../dev/slack/block-kit/index.ts'
import { modal } from './samples.ts'

/** Checks blocks in a message without its size limit. */
export const inMessage = (...blocks: unknown[]): readonly Violation[] =>
  checkMessage({ text: 'fallback', blocks }, { jsonBytes: Number.POSITIVE_INFINITY })
export const inModal = (...blocks: unknown[]): readonly Violation[] => checkView(modal(blocks))
export const inHome = (...blocks: unknown[]): readonly Violation[] => checkView({ type: 'home', blocks })

/** A limit: `max` of something is accepted, one more is refused at the path. */
export type Limit = readonly [name: string, make: (n: number) => unknown, max: number, path: string]

/** A rule, and a sample that breaks only this rule, at the path. */
export type Rule = readonly [refused: unknown, path: string, rule: RegExp]

interface Samples {
  readonly limits: readonly Limit[]
  readonly accepted: readonly object[]
  readonly rules: readonly Rule[]
}

/** @param place the path of the sample in what `find` checks */
export function testSamples(
  { limits, accepted, rules }: Samples,
  find: (sample: unknown) => readonly Violation[],
  place = '',
): void {
  it.each(limits)('limits %s', (_, make, max, path) => {
    expect(find(make(max))).toEqual([])
    const rule = new RegExp(`\\b${max + 1}\\b|(no more than|at most) ${max}\\b`)
    expect(find(make(max + 1))).toContainEqual(refusal(place + path, rule))
  })
  it.each(accepted)('accepts %j', (sample) => expect(find(sample)).toEqual([]))
  it.each(rules.map(([refused, path, rule]) => ({ refused, path: place + path, rule })))(
    'refuses $path: $rule',
    ({ refused, path, rule }) => expect(find(refused)).toEqual([refusal(path, rule)]),
  )
}

export const refusal = (path: string, rule: RegExp): Violation => ({
  path,
  rule: expect.stringMatching(rule),
})
