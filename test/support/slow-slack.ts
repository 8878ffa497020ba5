import { onTestFinished, vi } from 'vitest'
import { interactiveTimeoutMs } from '../../src/slack/api/web-api.ts'

/** As if Slack took longer, until the test ends, than calls wait that a person waits for: those fail at once. */
export function makeSlackSlow(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const timedOut = () => AbortSignal.abort(new DOMException('timed out', 'TimeoutError'))
  const spy = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((ms) => (ms === interactiveTimeoutMs ? timedOut() : timeout(ms)))
  onTestFinished(() => spy.mockRestore())
}
