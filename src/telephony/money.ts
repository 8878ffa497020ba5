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
  const [, minus, symbol = '', minusAfterSymbol, whole = '', fraction = ''] = match
  const units = BigInt(whole.replaceAll(',', '') + fraction)
  return { symbol, units: minus || minusAfterSymbol ? -units : units, scale: fraction.length }
}

const unitsAt = ({ units, scale }: Money, target: number) => units * 10n ** BigInt(target - scale)

/** The exact sum; `undefined` where the currencies differ. An amount of nothing has any currency. */
export function addMoney(amounts: readonly Money[]): Money | undefined {
  const scale = Math.max(2, ...amounts.map((amount) => amount.scale))
  const [symbol = '', ...others] = [
    ...new Set(amounts.filter(({ units }) => units !== 0n).map((amount) => amount.symbol)),
  ]
  if (others.length > 0) return undefined
  return { symbol, scale, units: amounts.reduce((sum, amount) => sum + unitsAt(amount, scale), 0n) }
}

export const negateMoney = (money: Money): Money => ({ ...money, units: -money.units })

/** `$12.50`, with at least two decimals. */
export function formatMoney({ symbol, units, scale }: Money): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const point = digits.length - scale
  const sign = units < 0n ? '-' : ''
  return `${sign}${symbol}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`
}

/** Whether the text is an amount of nothing (`$0.00`). */
export const isZero = (text: string): boolean => parseMoney(text)?.units === 0n
