/** An amount as the service writes it (`$12.50`), exact: `units` of 10 to the minus `scale`. */
export interface Money {
  /** What stands before the digits. */
  readonly symbol: string
  readonly units: bigint
  readonly scale: number
}

/** `undefined` where the text is no amount. Thousands may be set apart by commas. */
export function parseMoney(text: string): Money | undefined {
  const match = /^(-?)([^\d.,-]{0,4}?)\s*(-?)(\d{1,3}(?:,\d{3})+|\d{1,18})(?:\.(\d{1,6}))?$/u.exec(
    text.trim(),
  )
  if (!match) return undefined
  const [, before, symbol = '', after, whole = '', fraction = ''] = match
  const units = BigInt(whole.replaceAll(',', '') + fraction)
  return { symbol, units: before || after ? -units : units, scale: fraction.length }
}

const at = ({ units, scale }: Money, target: number) => units * 10n ** BigInt(target - scale)

/** The exact sum; `undefined` where the currencies differ. An amount of nothing has any currency. */
export function addMoney(amounts: readonly Money[]): Money | undefined {
  const scale = Math.max(2, ...amounts.map((one) => one.scale))
  const [symbol = '', ...others] = [
    ...new Set(amounts.filter(({ units }) => units !== 0n).map((one) => one.symbol)),
  ]
  if (others.length > 0) return undefined
  return { symbol, scale, units: amounts.reduce((sum, one) => sum + at(one, scale), 0n) }
}

export const negated = (money: Money): Money => ({ ...money, units: -money.units })

/** `$12.50`, with at least two decimals. */
export function showMoney({ symbol, units, scale }: Money): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const cut = digits.length - scale
  const sign = units < 0n ? '-' : ''
  return `${sign}${symbol}${digits.slice(0, cut)}${scale > 0 ? `.${digits.slice(cut)}` : ''}`
}
