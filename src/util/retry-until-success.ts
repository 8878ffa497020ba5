const againAfterMs = 5000

/** Tries until it works: the app starts while its database is down. */
export function untilItWorks(
  work: () => Promise<void>,
  onFailure: (error: unknown) => void,
): { stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const attempt = () => {
    work().catch((error: unknown) => {
      onFailure(error)
      if (!isStopped) timer = setTimeout(attempt, againAfterMs).unref()
    })
  }
  attempt()
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
