import { onTestFinished, vi } from 'vitest'
import { interactiveTimeoutMs } from '../../src/slack/api/web-api.ts'

/** Makes time limits of this length end at once, until the test ends. */
export function endAtOnce(limitMs: number): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const timedOut = () => AbortSignal.abort(new DOMException('timed out', 'TimeoutError'))
  const spy = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((ms) => (ms === limitMs ? timedOut() : timeout(ms)))
  onTestFinished(() => spy.mockRestore())
}

/** Makes Slack's responses to interactions time out at once, until the test ends. */
export const makeSlackSlow = (): void => endAtOnce(interactiveTimeoutMs)
