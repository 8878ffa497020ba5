/**
 * Emits an event for listeners that only watch: where one throws, the process warns of it and the work goes on. For an emitter's own use, such as `notify(() => this.emit('request', report))`.
 */
export function notify(emit: () => boolean): void {
  try {
    emit()
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
