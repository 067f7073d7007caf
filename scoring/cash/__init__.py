"""The Kasse: who owes what. It never moves money. So far it is only rules: what an evening or a month costs by a tariff."""
