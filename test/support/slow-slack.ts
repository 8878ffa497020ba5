import { onTestFinished, vi } from 'vitest'
import { interactiveTimeoutMs } from '../../src/slack/api/web-api.ts'

/** Makes Slack slower than interactions wait, until the test ends: their calls fail at once. */
export function makeSlackSlow(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const timedOut = () => AbortSignal.abort(new DOMException('timed out', 'TimeoutError'))
  const spy = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((ms) => (ms === interactiveTimeoutMs ? timedOut() : timeout(ms)))
  onTestFinished(() => spy.mockRestore())
}
