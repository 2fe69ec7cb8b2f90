/** A household's budget as the console's page of it reads one. */

function expense(title: string, paymentCostMonthly: number) {
  return { title, paymentCostMonthly, paymentFrequency: "MONTHLY" };
}

function leaf(name: string, totalMonthlyAmount: number, ...titles: string[]) {
  const expenses = titles.map((title) => expense(title, totalMonthlyAmount / titles.length));
  return { name, totalMonthlyAmount, expenses };
}

/** In the interface's shape, as far as the page reads it. */
export function household() {
  return {
    totalMonthlyAmount: 21_450,
    totalMonthlyIncome: 38_200,
    disposableIncome: 16_750,
    amountCategorized: 20_900,
    categorizationTarget: 19_305,
    uncategorized: [expense("MobilePay 4711", 550)],
    income: [],
    categories: [
      {
        name: "Home",
        totalMonthlyAmount: 13_900,
        categories: [leaf("Rent", 11_200, "Boligselskabet"), leaf("Electricity", 2_700, "Norlys", "Ørsted")],
      },
      {
        name: "Food",
        totalMonthlyAmount: 5_200,
        categories: [leaf("Groceries", 5_200, "Netto", "Rema 1000", "Føtex")],
      },
      {
        name: "Transport",
        totalMonthlyAmount: 1_800,
        categories: [leaf("Fuel", 1_200, "Circle K"), leaf("Parking", 600, "EasyPark")],
      },
    ],
  };
}
