const english = new Intl.NumberFormat('en')

/** `2,544`, for people. */
export const numberText = (count: number): string => english.format(count)
